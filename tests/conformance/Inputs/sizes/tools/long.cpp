int one;
int two;
int three;
int four;
