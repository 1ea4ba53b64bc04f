// plain
/// <reference types="node" />
/// <reference path='a.ts'/>
/// <reference no-default-lib="true"/>
/// <reference
declare const a: string;
/// <reference nothing />
