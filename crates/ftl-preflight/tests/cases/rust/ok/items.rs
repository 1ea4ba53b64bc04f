#!/usr/bin/env run
#![allow(dead_code)]
use std::{fmt, io::{self, Read as _}};

pub(crate) struct A<'a, T: ?Sized, const N: usize>(&'a T) where T: Fn(u8) -> u8;

impl<'a, T> A<'a, T, 3> {
    pub async fn b(&mut self) -> io::Result<()> {
        let Some(x) = self.c()?.await else { return Ok(()) };
        match x { 0..=9 | 11.. => {}, ref y @ 10 if *y > 0 => loop { break }, _ => unreachable!("{x}") }
        Ok(())
    }
}

macro_rules! m { ($($e:expr),* $(,)?) => { $( $e; )* } }
