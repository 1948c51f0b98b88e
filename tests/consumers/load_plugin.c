/* Loads the shared object named by the first argument and asks it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char** arguments) {
  void* plugin = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (plugin == NULL) {
    fprintf(stderr, "not loaded: %s\n", count == 2 ? dlerror() : "name one shared object");
    return 1;
  }
  int (*ask)(void) = NULL;
  *(void**)&ask = dlsym(plugin, "plugin_wrong_answers");
  if (ask == NULL || ask() != 0) {
    fprintf(stderr, "%s\n", ask == NULL ? "no function plugin_wrong_answers" : "wrong answers");
    return 1;
  }
  return 0;
}
