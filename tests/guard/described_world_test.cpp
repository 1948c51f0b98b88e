// Slots of described worlds: names, sorts, edges, values; and that reading never passes an edge.
#include <doctest/doctest.h>

#include <set>

#include "guard/worlds.hpp"

using namespace dimgate;
using namespace dimgate::testing;

TEST_CASE("every part of a world has a slot, named as PyTorch names it") {
  const World w = world();
  WorldLayout layout;
  layout.extend(w);
  const std::string text = to_string(layout.layout(), observe(layout, w));
  for (const char* part : {"frame.code='train_step'",
                           "frame.caller='loop'",
                           "grad_mode=True",
                           "autocast['cuda']=True",
                           "autocast['cuda'].dtype='torch.bfloat16'",
                           "function_modes='['Counter']'",
                           "num_threads=1",
                           "type(L['x'])='Tensor'",
                           "L['x'].dim()=2",
                           "L['x'].size()[1]=3",
                           "L['x'].stride()[0]=3",
                           "L['x'].device='cuda:0'",
                           "L['x'].device.type='cuda'",
                           "L['x'].device.index=0",
                           "L['x'].requires_grad=False",
                           "storage(L['x'])='s1'",
                           "L['x'].untyped_storage().nbytes()=64",
                           "L['x'].max()=7",
                           "storage(L['y'])='storage of L['y']'",
                           "L['n']=5",
                           "L['flag']=True",
                           "L['lr']=-0",
                           "L['bad']=nan",
                           "L['mode']='fast'",
                           "type(L['none'])='NoneType'",
                           "len(L['xs'])=2",
                           "L['xs'][0]=1",
                           "L['xs'][1]='a'",
                           "len(L['d'])=2",
                           "list(L['d'].keys())='['a', 'b']'",
                           "___dict_version(L['d'])=4",
                           "___dict_contains('a', L['d'])=True",
                           "L['d']['a']=1",
                           "L['d']['b'].size()[0]=1",
                           "hasattr(L['self'], 'step')=True",
                           "L['self'].step=3",
                           "id(L['self'])='net 1'",
                           "C['scale']=2",
                           "G['DEBUG']=False",
                           "___dict_contains('DEBUG', environ)=True",
                           "environ['DEBUG']='1'",
                           "___dict_contains('TRACE', environ)=False"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("environ['TRACE']=") == std::string::npos);
  // Growing again by the same world adds nothing; order and spelling of slots are the same in another layout.
  const std::size_t size = layout.size();
  layout.extend(w);
  CHECK(layout.size() == size);
  WorldLayout again;
  again.extend(w);
  CHECK(to_string(again.layout(), observe(again, w)) == text);
}

TEST_CASE("edges: type before rank before size, presence before value, length before item") {
  const World w = world();
  WorldLayout layout;
  layout.extend(w);
  const Layout& l = layout.layout();
  const auto edge = [&](const char* slot) {
    const SlotIndex e = l[l.find(slot)].edge;
    return e == kNoSlot ? std::string() : l[e].name;
  };
  CHECK(edge("L['x'].size()[0]") == "L['x'].dim()");
  CHECK(edge("L['x'].dim()") == "type(L['x'])");
  CHECK(edge("type(L['x'])") == "");
  CHECK(edge("type(L['d']['b'])") == "___dict_contains('b', L['d'])");
  CHECK(edge("___dict_contains('b', L['d'])") == "type(L['d'])");
  CHECK(edge("type(L['xs'][1])") == "len(L['xs'])");
  CHECK(edge("type(L['self'].step)") == "hasattr(L['self'], 'step')");
  CHECK(edge("L['self'].step") == "type(L['self'].step)");
  CHECK(edge("environ['DEBUG']") == "___dict_contains('DEBUG', environ)");
  CHECK(edge("grad_mode") == "");
  CHECK(l[l.find("L['x'].max()")].read_cost >= kDataReadCost);
}

TEST_CASE("a value of another sort gets a slot beside the old one; the old one is absent then") {
  World w = world();
  WorldLayout layout;
  layout.extend(w);
  argument(w, "n") = WorldValue::of(1.5);
  layout.extend(w);
  const Snapshot s = observe(layout, w);
  CHECK(!s.has(layout.layout().find("L['n']")));
  CHECK(s.has(layout.layout().find("L['n'].as_float")));
  argument(w, "n") = WorldValue::of(std::int64_t{5});
  const Snapshot back = observe(layout, w);
  CHECK(back.has(layout.layout().find("L['n']")));
  CHECK(!back.has(layout.layout().find("L['n'].as_float")));
}

TEST_CASE("strings that look like other constants keep apart from them") {
  World w;
  w.arguments = {{"a", WorldValue::of_text("None")}, {"b", WorldValue::of_text("(1, 1)")}};
  WorldLayout layout;
  layout.extend(w);
  const Snapshot s = observe(layout, w);
  Context ctx;
  const auto name = [&](const char* slot) { return layout.layout().names().name(s.raw(layout.layout().find(slot))); };
  CHECK(to_text(ctx, ctx.enumeration(name("L['a']"))) == "'None'");
  CHECK(to_text(ctx, ctx.enumeration(name("L['b']"))) == "'(1, 1)'");
}

TEST_CASE("overlap of arguments in one storage: exact, and absent where it cannot be known") {
  World w;
  TensorDescription a = tensor({5}), b = tensor({5});
  a.storage = b.storage = "s";
  b.storage_offset = 1;
  w.arguments = {{"a", WorldValue::of(a)}, {"b", WorldValue::of(b)}};
  WorldLayout layout;
  layout.extend(w);
  const SlotIndex slot = layout.layout().find("___overlap(L['a'], L['b'])");
  REQUIRE(slot != kNoSlot);
  const auto seen = [&](const World& at) {
    const Snapshot s = observe(layout, at);
    return s.has(slot) ? (s.raw(slot) != 0 ? "yes" : "no") : "absent";
  };
  CHECK(std::string(seen(w)) == "yes");
  tensor_of(w, "b").storage_offset = 5;
  CHECK(std::string(seen(w)) == "no");
  tensor_of(w, "b").storage_offset = 1;
  tensor_of(w, "a").strides = tensor_of(w, "b").strides = {2};  // every other element, interleaved
  CHECK(std::string(seen(w)) == "no");
  tensor_of(w, "b").dtype = "opaque";
  CHECK(std::string(seen(w)) == "absent");
  tensor_of(w, "b").storage = "t";
  CHECK(std::string(seen(w)) == "no");
}

TEST_CASE("nesting without end is walked without recursion") {
  WorldValue v = WorldValue::of(std::int64_t{1});
  for (int i = 0; i < 50; ++i) v = WorldValue::list({std::move(v)});
  World w;
  w.arguments = {{"deep", std::move(v)}};
  WorldLayout layout;
  layout.extend(w);
  std::string path = "L['deep']";
  for (int i = 0; i < 20; ++i) path += "[0]";
  CHECK(observe(layout, w).has(layout.layout().find("type(" + path + ")")));
}
