// Numbers of machines in JSON: what is missing or absurd is named.
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace tla::runtime {

/// One object. Each member is asked for once; done() finds those that nobody has asked for. What is wrong is thrown as
/// a std::runtime_error that names the member and says what it must be.
class Members {
public:
  using Json = nlohmann::json;

  /// `path`: its place in the whole, which is called `whole`: "a profile".
  Members(const Json &object, std::string path, std::string whole)
      : object_(object), path_(std::move(path)), whole_(std::move(whole)) {
    if (!object.is_object())
      throw std::runtime_error((path_.empty() ? "it" : path_) + " is no object");
  }

  const Json *find(const std::string &name) {
    asked_.insert(name);
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json &get(const std::string &name) {
    const Json *const value = find(name);
    if (!value)
      throw std::runtime_error(place(name) + " is missing");
    return *value;
  }
  Members object(const std::string &name) { return {get(name), place(name), whole_}; }
  std::string text(const std::string &name) {
    const Json &value = get(name);
    if (!value.is_string())
      throw std::runtime_error(place(name) + " is no text");
    return value.get<std::string>();
  }
  /// Reads a number in (0, most], times `unit`.
  double positive(const std::string &name, double most, double unit = 1) {
    const Json &value = get(name);
    const double number = value.is_number() ? value.get<double>() : NAN;
    if (!(number > 0 && number <= most))
      throw std::runtime_error(place(name) + " is " + value.dump() + "; it must be above 0, and at most " +
                               Json(most).dump());
    return number * unit;
  }
  /// Reads such a number, or returns 0 where there is none.
  double positiveOrNone(const std::string &name, double most, double unit = 1) {
    return object_.contains(name) ? positive(name, most, unit) : (asked_.insert(name), 0);
  }
  /// False where there is none.
  bool flag(const std::string &name) {
    const Json *const value = find(name);
    if (value && !value->is_boolean())
      throw std::runtime_error(place(name) + " is " + value->dump() + "; it must be true or false");
    return value && value->get<bool>();
  }
  int count(const std::string &name, int most) {
    const double number = positive(name, most);
    if (number != std::floor(number))
      throw std::runtime_error(place(name) + " is " + Json(number).dump() + "; it must be a whole number");
    return static_cast<int>(number);
  }
  template <typename Visit> void forEach(Visit &&visit) {
    for (const auto &[name, value] : object_.items()) {
      asked_.insert(name);
      visit(name);
    }
  }
  void done() const {
    for (const auto &[name, value] : object_.items())
      if (!asked_.contains(name))
        throw std::runtime_error(place(name) + " is nothing that " + whole_ + " has");
  }
  std::string place(const std::string &name) const { return path_.empty() ? name : path_ + "." + name; }

private:
  const Json &object_;
  const std::string path_, whole_;
  std::set<std::string> asked_;
};

/// Reads rates by LAPACK's letter of the type, from Gflop/s; at least one.
inline std::map<char, double> ratesFrom(Members members) {
  std::map<char, double> rates;
  for (const char type : {'s', 'd', 'c', 'z'})
    if (members.find(std::string(1, type)))
      rates[type] = members.positive(std::string(1, type), 1e9, 1e9);
  members.done();
  if (rates.empty())
    throw std::runtime_error(members.place("d") + " is missing");
  return rates;
}

} // namespace tla::runtime
