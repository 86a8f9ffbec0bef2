// Somebody's shared object that is no library of policies.
extern "C" int answer() {
  return 42;
}
