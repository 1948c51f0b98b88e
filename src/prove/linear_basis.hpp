// Columns in which a thin body looks round, so that branching on them ends soon.
//
// tighten(): every row is bounded by the rational problem's least and greatest values, rounded. reduce_basis(): the
// columns, as vectors with a coordinate for each row scaled by 1 / (its width), are reduced (Lenstra, Lenstra & Lovasz
// 1982, in integers: Cohen, "A Course in Computational Algebraic Number Theory", algorithm 2.6.7) and put in the order
// last vector first: along that one the body is thinnest (Lenstra, "Integer Programming with a Fixed Number of
// Variables", 1983; Krishnamoorthy & Pataki, "Column Basis Reduction and Decomposable Knapsack Problems", 2009).
// Cost: two linear programs a row; LLL is polynomial in columns and bits. A step is one column rewritten.
// Tests: tests/prove/linear_test.cpp (slivers along irrational directions, market splits).
#pragma once

#include <cstdint>
#include <vector>

#include "prove/linear_reasons.hpp"
#include "prove/linear_rows.hpp"
#include "prove/linear_tableau.hpp"

namespace dimgate::linear {

/// Puts the rows into a tableau: variable k is the k-th alive column (column_of[k]); place[i] is the variable of row i.
template <class T>
Outcome load(const Rows& rows, Tableau<T>& tableau, std::vector<std::size_t>& column_of,
             std::vector<std::uint32_t>& place);

/// Gives each alive row its rational bounds, rounded. conflict: why is set.
Outcome tighten(Rows& rows, Reasons& reasons, std::vector<Reason>& why, std::uint64_t& steps);

/// The alive columns must be independent (Rows::compress) and the rows bounded on both sides (tighten).
void reduce_basis(Rows& rows, std::uint64_t& steps);

}  // namespace dimgate::linear
