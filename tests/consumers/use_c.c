/* A C program on an installed dimgate: a guard set compiled and checked. */
#include <dimgate/c/dimgate.h>
#include <stdio.h>

int main(void) {
  dimgate_context* ctx = dimgate_context_new();
  dimgate_layout* layout = dimgate_layout_new();
  uint32_t slot = 0;
  dimgate_expr guard = NULL;
  dimgate_program* program = NULL;
  dimgate_snapshot* snapshot = NULL;
  dimgate_error* error = dimgate_layout_add(layout, "L['x'].size()[0]", DIMGATE_INT, &slot);
  if (error == NULL) error = dimgate_parse(ctx, "L['x'].size()[0] % 8 == 0", &guard);
  if (error == NULL) error = dimgate_compile(ctx, &guard, 1, layout, &program);
  if (error == NULL) error = dimgate_snapshot_new(layout, &snapshot);
  if (error != NULL) {
    fprintf(stderr, "%s\n", dimgate_error_message(error));
    return 1;
  }
  int wrong = 0;
  for (int64_t v = 0; v < 64; ++v) {
    dimgate_snapshot_set(snapshot, slot, v);
    wrong += (dimgate_check(program, snapshot) == DIMGATE_PASS) != (v % 8 == 0);
  }
  printf("dimgate %s, ABI %u: %d wrong\n", dimgate_version(), (unsigned)dimgate_c_abi(), wrong);
  dimgate_snapshot_free(snapshot);
  dimgate_program_free(program);
  dimgate_layout_free(layout);
  dimgate_context_free(ctx);
  return wrong == 0 && dimgate_c_abi() == DIMGATE_C_ABI ? 0 : 1;
}
