var await = 1;
namespace A.B { export const c = 1 }
