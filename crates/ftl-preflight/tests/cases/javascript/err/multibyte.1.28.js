const s = "日本語"; const t = ;
