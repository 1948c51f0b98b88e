// Failed guards, one a line: what each is read as. Names of the user's hold any word and change nothing.
#include <doctest/doctest.h>

#include "dimgate/explain.hpp"

using namespace dimgate;

namespace {

struct Row {
  const char* guard;
  const char* label;
  const char* source;
  const char* expected;
  const char* change;  // kind_of_change
};

const Row kRows[] = {
    {"tensor 'L['self']._modules['x'].weight' size mismatch at index 0. expected 4, actual 5", "tensor size",
     "L['self']._modules['x'].weight", "4", "size"},
    {"tensor 'x' Tensor device index mismatch. Expected device index to be 0, actual 1", "tensor device", "x", "0",
     "device"},
    {"tensor 'x' layout mismatch. expected Strided, actual Sparse", "unrecognised", "x",
     "tensor 'x' layout mismatch. expected Strided, actual Sparse", "unrecognised"},
    {"tensor '___from_numpy(L['n'])' rank mismatch. expected 2, actual 3", "tensor rank", "___from_numpy(L['n'])", "2",
     "rank"},
    {"L['x'].dtype == torch.float32", "tensor dtype", "L['x']", "torch.float32", "dtype"},
    {"L['x'].device == device(type='cpu')", "tensor device", "L['x']", "device(type='cpu')", "device"},
    {"L['x'].requires_grad == False", "requires_grad", "L['x']", "False", "requires_grad"},
    // Objects.
    {"___check_type_id(L['x'], 9430), type=<class 'NoneType'>", "python type", "L['x']", "NoneType", "type"},
    {"TYPE_MISMATCH(L['d']['k'])", "python type", "L['d']['k']", "", "type"},
    {"___check_obj_id(L['f'].__closure__[0].cell_contents, 94309243)", "object identity",
     "L['f'].__closure__[0].cell_contents", "94309243", "closure"},
    {"___check_obj_id(G['__import_torch_dot_nn_dot_functional'].relu, 140345)", "object identity",
     "G['__import_torch_dot_nn_dot_functional'].relu", "140345", "identity"},
    {"___check_obj_id(L['self']._forward_pre_hooks, 14)", "object identity", "L['self']._forward_pre_hooks", "14",
     "hook"},
    {"not set.__contains__(L['s'], 'k')", "dict key presence", "L['s']", "without 'k'", "dict keys"},
    {"not ___dict_contains('a, b', L['d'])", "dict key presence", "L['d']", "without 'a, b'", "dict keys"},
    {"list(dict.keys(L['d'])) == ['b', 'a']", "dict keys", "L['d']", "['b', 'a']", "dict keys"},
    {"list(dict.keys(L['d']))[0] == 'a'", "dict keys", "L['d']", "'a'", "dict keys"},
    {"L['d'].keys() == {'a','b'}", "dict keys", "L['d']", "{'a','b'}", "dict keys"},
    {"___tuple_iterator_len(L['it']) == 3", "container length", "L['it']", "3", "length"},
    {"len(L['d']['a == b']) == 3", "container length", "L['d']['a == b']", "3", "length"},
    {"len(L['d']) != 3", "container length", "L['d']", "3", "length"},
    {"hasattr(L['x'], 'foo') == False", "missing key/attr", "L['x']", "without 'foo'", "attribute"},
    {"not hasattr(L['self'], 'cache')", "missing key/attr", "L['self']", "without 'cache'", "attribute"},
    {"KeyError on L['d']['k']", "missing key/attr", "L['d']['k']", "", "attribute"},
    {"getattr failed on source L['self'].cache", "missing key/attr", "L['self'].cache", "", "attribute"},
    {"Cache line invalidated because L['x'] got deallocated", "weakref/invalidated", "L['x']", "", "weakref"},
    // Values.
    {"L['n'] == np.int64(3)", "int value", "L['n']", "3", "int"},
    {"L['n'] == numpy.float32(3.5)", "float value", "L['n']", "3.5", "float"},
    {"L['b'] == np.True_", "bool value", "L['b']", "True", "bool"},
    {"L['s'] == np.str_('a')", "str value", "L['s']", "'a'", "string"},
    {"L['s'] == \"it's == 4\"", "str value", "L['s']", "\"it's == 4\"", "string"},
    {"L['x'] is not None", "None-ness", "L['x']", "not None", "None"},
    {"L['a'] is not L['b']", "tensor aliasing", "L['a']", "not L['b']", "aliasing"},
    {"___odict_getitem(L['od'], 'k') == 4", "int value", "___odict_getitem(L['od'], 'k')", "4", "int"},
    {"___tuple_iterator_getitem(L['it'], 0) == 3", "int value", "___tuple_iterator_getitem(L['it'], 0)", "3", "int"},
    {"L['d'][list(dict.keys(L['d']))[0]] == 3", "int value", "L['d'][list(dict.keys(L['d']))[0]]", "3", "int"},
    {"type(L['x']).cache == 3", "int value", "type(L['x']).cache", "3", "int"},
    {"L['f'].__kwdefaults__['k'] == 1.5", "float value", "L['f'].__kwdefaults__['k']", "1.5", "closure"},
    {"(type(eps) is float and __math_isnan(eps))", "float value", "eps", "nan", "float"},
    {"L['f'] < 1.0", "float value", "L['f']", "L['f'] < 1.0", "float"},
    // Formulas.
    {"Ne(L['x'].size()[0], L['y'].size()[0])", "shape guard", "L['x']", "Ne(L['x'].size()[0], L['y'].size()[0])",
     "relational shape"},
    {"L['x'].size()[0] != L['y'].size()[0]", "shape guard", "L['x']", "L['x'].size()[0] != L['y'].size()[0]",
     "relational shape"},
    {"x.size()[0] <= x.size()[0]*2", "shape guard", "x", "x.size()[0] <= x.size()[0]*2", "range"},
    {"Eq(Mod(L['x'].size()[0], 8), 0)", "shape guard", "L['x']", "Eq(Mod(L['x'].size()[0], 8), 0)", "divisibility"},
    {"x.storage_offset() == 1", "shape guard", "x", "x.storage_offset() == 1", "range"},
    {"Ne(Mod(s0, 8), 0)", "shape guard (int symbol)", "s0", "Ne(Mod(s0, 8), 0)", "divisibility"},
    {"PythonMod(s0, 2) == 0", "shape guard (int symbol)", "s0", "PythonMod(s0, 2) == 0", "divisibility"},
    {"L['a'] < L['b']", "shape guard (int symbol)", "L['a']", "L['a'] < L['b']", "relational shape"},
    {"2 <= L['n'] and L['n'] <= 10", "shape guard (int symbol)", "L['n']", "2 <= L['n'] and L['n'] <= 10", "range"},
    // Names that hold the words of other forms.
    {"L['overlap'] == 3", "int value", "L['overlap']", "3", "int"},
    {"L['missing_ok'] == True", "bool value", "L['missing_ok']", "True", "bool"},
    {"self.missing == 3", "int value", "self.missing", "3", "int"},
    {"L['cfg'].invalidated is None", "None-ness", "L['cfg'].invalidated", "None", "None"},
    {"L['weakref'] == 'deallocated'", "str value", "L['weakref']", "'deallocated'", "string"},
    {"L['self'].dim_size == 64", "int value", "L['self'].dim_size", "64", "int"},
    {"len(L['missing'].keys) == 2", "container length", "L['missing'].keys", "2", "length"},
    {"L['d']['.keys('] == 2", "int value", "L['d']['.keys(']", "2", "int"},
    {"L['d']['isnan('] == 2", "int value", "L['d']['isnan(']", "2", "int"},
};

}  // namespace

TEST_CASE("failed guards, one form a row") {
  for (const Row& row : kRows) {
    CAPTURE(row.guard);
    const FailedGuard read = parse_failed_guard(row.guard);
    CHECK(read.cause.label() == row.label);
    CHECK(read.cause.source == row.source);
    CHECK(read.cause.expected == row.expected);
    CHECK(kind_of_change(read) == row.change);
  }
}

TEST_CASE("a comment, blanks and an entry's number around a guard change nothing") {
  for (const Row& row : kRows) {
    CAPTURE(row.guard);
    const FailedGuard read =
        parse_failed_guard(std::string(row.guard) + "        # y = f(x)  # pkg/m.py:12 in forward  ");
    CHECK(read.cause.label() == row.label);
    CHECK(read.cause.source == row.source);
    CHECK(read.user_line == "y = f(x)");
    CHECK(read.place == "pkg/m.py:12 in forward");
  }
}

TEST_CASE("brackets without end, and a million of them") {
  for (const std::string& open : {std::string("a["), std::string("list("), std::string("a[list("), std::string("["),
                                  std::string("L['"), std::string("type(")}) {
    std::string text;
    while (text.size() < 1000000) text += open;
    CHECK(classify_guard(text + " == 3").source.size() < text.size() + 5);
  }
}
