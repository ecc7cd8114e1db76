# What R's own functions call of LAPACK; each line: what, and how wrong it is.
set.seed(1)
n <- 300
a <- matrix(rnorm(n * n), n)
b <- matrix(rnorm(n * 290), n)
s <- crossprod(a) + n * diag(n)
say <- function(what, error) cat(what, format(max(abs(error)), scientific = TRUE), "\n")
say("solve", a %*% solve(a, b) - b)
say("inverse", solve(s) %*% s - diag(n))
r <- chol(s)
say("chol", (crossprod(r) - s) / n)
say("chol2inv", chol2inv(r) %*% s - diag(n))
q <- qr(a, LAPACK = TRUE)
say("qr", qr.Q(q) %*% qr.R(q) - a[, q$pivot])
d <- svd(a, nu = 0, nv = 0)$d
say("svd", (d^2 - eigen(crossprod(a), symmetric = TRUE)$values) / d[1]^2)
say("determinant", determinant(s)$modulus - 2 * sum(log(diag(r))))
