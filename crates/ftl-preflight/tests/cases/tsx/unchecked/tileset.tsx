<?xml version="1.0"?>
<tileset name="t" columns="4"/>
