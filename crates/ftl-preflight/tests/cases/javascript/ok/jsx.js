const a = <b/>;
