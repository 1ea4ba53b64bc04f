let x = `${}é
