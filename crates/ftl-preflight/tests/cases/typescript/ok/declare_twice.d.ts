declare module "*.md" {
  declare const text: string;
  export default text;
}
