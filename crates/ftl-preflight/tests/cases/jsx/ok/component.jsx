import React from "react";
export const A = ({ b, ...c }) => <><b.C {...c} d="e">don't {b && <f />}</b.C></>;
