//! Enums whose variants are words of records, JSON and configuration, each word written once.
//!
//! A word would otherwise be in three places that can drift apart: serde's attribute, a function
//! for messages, and the list that a parser of the word needs. The macro makes all three from one table.

/// Defines an enum of words.
///
/// Every variant is followed by its word, `Created = "created"`. The enum gets `ALL` in the order
/// of the table, `as_str`, `named` (the reverse), [`Display`](std::fmt::Display),
/// [`FromStr`](std::str::FromStr), and serde and schemars as a string of that word.
#[macro_export]
macro_rules! words {
    (
        $(#[$about:meta])*
        $visible:vis enum $name:ident {
            $( $(#[$doc:meta])* $variant:ident = $word:literal, )+
        }
    ) => {
        $(#[$about])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            ::serde::Serialize, ::serde::Deserialize, ::schemars::JsonSchema,
        )]
        $visible enum $name {
            $( $(#[$doc])* #[serde(rename = $word)] $variant, )+
        }

        impl $name {
            /// Every variant, in the order of the table.
            $visible const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word for it.
            #[must_use]
            $visible const fn as_str(self) -> &'static str {
                match self {
                    $( Self::$variant => $word, )+
                }
            }

            /// The variant of this word; `None` for any other text.
            #[must_use]
            $visible fn named(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.as_str() == word)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = ();

            fn from_str(word: &str) -> Result<Self, ()> {
                Self::named(word).ok_or(())
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    words! {
        /// Two of them.
        enum Side {
            /// One.
            Left = "left-hand",
            /// The other.
            Right = "right",
        }
    }

    #[test]
    fn a_word_is_the_same_in_json_in_messages_and_when_it_is_read() {
        for side in Side::ALL {
            let json = serde_json::to_value(side).unwrap();
            assert_eq!(json, side.as_str());
            assert_eq!(serde_json::from_value::<Side>(json).unwrap(), side);
            assert_eq!(Side::named(&side.to_string()), Some(side));
        }
        assert_eq!(Side::ALL.map(Side::as_str), ["left-hand", "right"]);
        assert_eq!(Side::named("Left"), None);
    }
}
