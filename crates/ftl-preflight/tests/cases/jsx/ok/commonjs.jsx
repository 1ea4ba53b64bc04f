module.exports = () => <a>{/* b */}</a>;
return;
