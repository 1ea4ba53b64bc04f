const a = <b></c>;
