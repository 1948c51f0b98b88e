#include "session.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

namespace dimgate::z3 {

namespace {

// Errors stay in the context's error code; nothing exits or throws.
void ignore_error(Z3_context, Z3_error_code) {}

}  // namespace

Session::Session(std::uint64_t rlimit, unsigned watchdog_ms)
    : rlimit_(std::clamp<std::uint64_t>(rlimit, 1, std::numeric_limits<unsigned>::max())), watchdog_ms_(watchdog_ms) {
  Z3_config config = Z3_mk_config();
  context_ = Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(context_, ignore_error);
  solver_ = Z3_mk_simple_solver(context_);
  Z3_solver_inc_ref(context_, solver_);
}

Session::~Session() {
  drop_model();
  Z3_solver_dec_ref(context_, solver_);
  Z3_del_context(context_);
}

void Session::drop_model() {
  if (model_ != nullptr) Z3_model_dec_ref(context_, model_);
  model_ = nullptr;
}

void Session::set_limits() {
  Z3_params params = Z3_mk_params(context_);
  Z3_params_inc_ref(context_, params);
  Z3_params_set_uint(context_, params, Z3_mk_string_symbol(context_, "rlimit"),
                     static_cast<unsigned>(rlimit_ - spent_));
  Z3_params_set_uint(context_, params, Z3_mk_string_symbol(context_, "timeout"), watchdog_ms_);
  Z3_solver_set_params(context_, solver_, params);
  Z3_params_dec_ref(context_, params);
}

Z3_ast Session::add_tracked(Z3_ast formula) {
  const std::string name = "fact!" + std::to_string(trackers_++);
  Z3_ast literal = Z3_mk_const(context_, Z3_mk_string_symbol(context_, name.c_str()), Z3_mk_bool_sort(context_));
  add(Z3_mk_implies(context_, literal, formula));
  return literal;
}

std::uint64_t Session::resource_count() {
  Z3_stats stats = Z3_solver_get_statistics(context_, solver_);
  Z3_stats_inc_ref(context_, stats);
  std::uint64_t count = spent_;
  for (unsigned i = 0, n = Z3_stats_size(context_, stats); i < n; ++i)
    if (Z3_stats_is_uint(context_, stats, i) && std::strcmp(Z3_stats_get_key(context_, stats, i), "rlimit count") == 0)
      count = std::max<std::uint64_t>(count, Z3_stats_get_uint_value(context_, stats, i));
  Z3_stats_dec_ref(context_, stats);
  return count;
}

Outcome Session::check(const std::vector<Z3_ast>& assumptions) {
  using Clock = std::chrono::steady_clock;
  drop_model();
  if (Z3_get_error_code(context_) != Z3_OK) {
    reason_ = std::string("solver: ") + Z3_get_error_msg(context_, Z3_get_error_code(context_));
    return Outcome::unknown;
  }
  if (exhausted()) {
    reason_ = "budget";
    return Outcome::unknown;
  }
  set_limits();
  const auto start = Clock::now();
  const Z3_lbool answer = Z3_solver_check_assumptions(context_, solver_, static_cast<unsigned>(assumptions.size()),
                                                      assumptions.empty() ? nullptr : assumptions.data());
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
  spent_ = resource_count();
  if (answer == Z3_L_TRUE) {
    model_ = Z3_solver_get_model(context_, solver_);
    if (model_ == nullptr) {
      reason_ = "solver: no model";
      return Outcome::unknown;
    }
    Z3_model_inc_ref(context_, model_);
    return Outcome::sat;
  }
  if (answer == Z3_L_FALSE) return Outcome::unsat;
  if (elapsed >= static_cast<std::int64_t>(watchdog_ms_)) {
    watchdog_ = true;
    reason_ = "watchdog";
  } else if (exhausted()) {
    reason_ = "budget";
  } else {
    reason_ = std::string("solver: ") + Z3_solver_get_reason_unknown(context_, solver_);
  }
  return Outcome::unknown;
}

std::vector<Z3_ast> Session::core() {
  Z3_ast_vector literals = Z3_solver_get_unsat_core(context_, solver_);
  Z3_ast_vector_inc_ref(context_, literals);
  std::vector<Z3_ast> out;
  for (unsigned i = 0, n = Z3_ast_vector_size(context_, literals); i < n; ++i)
    out.push_back(Z3_ast_vector_get(context_, literals, i));
  Z3_ast_vector_dec_ref(context_, literals);
  return out;
}

Z3_ast Session::value(Z3_ast term) {
  Z3_ast out = nullptr;
  if (!Z3_model_eval(context_, model_, term, true, &out)) return nullptr;
  return out;
}

std::optional<Integer> Session::integer(Z3_ast term) {
  Z3_ast v = value(term);
  if (v == nullptr || Z3_get_ast_kind(context_, v) != Z3_NUMERAL_AST) return std::nullopt;
  return Integer::parse(Z3_get_numeral_string(context_, v));
}

std::optional<bool> Session::boolean(Z3_ast term) {
  Z3_ast v = value(term);
  if (v == nullptr) return std::nullopt;
  const Z3_lbool b = Z3_get_bool_value(context_, v);
  if (b == Z3_L_UNDEF) return std::nullopt;
  return b == Z3_L_TRUE;
}

std::optional<std::uint64_t> Session::bits(Z3_ast term) {
  Z3_ast v = value(term);
  std::uint64_t out = 0;
  if (v == nullptr || Z3_get_ast_kind(context_, v) != Z3_NUMERAL_AST) return std::nullopt;
  if (!Z3_get_numeral_uint64(context_, v, &out)) return std::nullopt;
  return out;
}

}  // namespace dimgate::z3
