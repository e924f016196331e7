// The least that a program which asks Z3 anything can cost: a context, one Boolean, one check with
// the cheapest of its solvers (Z3_mk_solver prepares tactics, and costs half as much again). The
// benchmarks of ptxlitmus are ratios to it, taken on the same machine in the same run.
#include <z3.h>

int main(void) {
    Z3_config config = Z3_mk_config();
    Z3_context context = Z3_mk_context(config);
    Z3_del_config(config);
    Z3_solver solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
    Z3_ast variable =
        Z3_mk_const(context, Z3_mk_string_symbol(context, "b"), Z3_mk_bool_sort(context));
    Z3_solver_assert(context, solver, variable);
    int status = Z3_solver_check(context, solver) == Z3_L_TRUE ? 0 : 1;
    Z3_solver_dec_ref(context, solver);
    Z3_del_context(context);
    return status;
}
