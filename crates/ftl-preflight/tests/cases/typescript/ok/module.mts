export const a = await 1;
