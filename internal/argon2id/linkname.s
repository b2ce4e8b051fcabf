// An assembly file lets the compiler accept a function without a body.
