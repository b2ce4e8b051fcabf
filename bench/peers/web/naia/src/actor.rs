//! The members of a crowd, as components. Their types are as small as the values allow.

use naia_shared::{Property, Replicate, UnsignedInteger};

/// An actor with the values of a row of the motion.
pub trait Actor: Replicate {
    /// The number of values.
    const FIELDS: usize;

    /// A new actor. Its index never changes, so it is sent once.
    fn with(index: u16, values: &[i32]) -> Self;

    /// Writes the values that differ: a property that is written is sent, also if it has not changed.
    fn set(&mut self, values: &[i32]);

    /// The index and the values.
    fn get(&self) -> (u16, Vec<i32>);
}

type Angle = UnsignedInteger<12>;

/// A member of the scenes of Truestep: lengths in 1/64 block, the yaw in 1/256 turn.
#[derive(Replicate)]
pub struct Walker {
    pub index: Property<u16>,
    pub x: Property<i16>,
    pub y: Property<i16>,
    pub z: Property<i16>,
    pub yaw: Property<u8>,
    pub health: Property<u8>,
    pub flags: Property<u8>,
}

/// A member of the scene stinkysteak: lengths in cm, angles in 1/4096 turn.
#[derive(Replicate)]
pub struct Body {
    pub index: Property<u16>,
    pub x: Property<i16>,
    pub y: Property<i16>,
    pub z: Property<i16>,
    pub yaw: Property<Angle>,
    pub pitch: Property<Angle>,
}

macro_rules! actor {
    ($name:ident, $n:literal, $($field:ident: $from:expr, $to:expr;)*) => {
        impl Actor for $name {
            const FIELDS: usize = $n;

            fn with(index: u16, values: &[i32]) -> Self {
                let mut v = values.iter().copied();
                $(let $field = $from(v.next().expect("a value"));)*
                Self::new_complete(index, $($field),*)
            }

            fn set(&mut self, values: &[i32]) {
                let mut v = values.iter().copied();
                $(
                    let $field = $from(v.next().expect("a value"));
                    if *self.$field != $field {
                        *self.$field = $field;
                    }
                )*
            }

            fn get(&self) -> (u16, Vec<i32>) {
                (*self.index, vec![$($to(&*self.$field)),*])
            }
        }
    };
}

fn short(v: i32) -> i16 {
    v as i16
}

fn byte(v: i32) -> u8 {
    v as u8
}

fn from_short(v: &i16) -> i32 {
    *v as i32
}

fn from_byte(v: &u8) -> i32 {
    *v as i32
}

fn angle(v: i32) -> Angle {
    Angle::new(v)
}

fn from_angle(v: &Angle) -> i32 {
    v.get() as i32
}

actor!(Walker, 6, x: short, from_short; y: short, from_short; z: short, from_short; yaw: byte, from_byte; health: byte, from_byte; flags: byte, from_byte;);
actor!(Body, 5, x: short, from_short; y: short, from_short; z: short, from_short; yaw: angle, from_angle; pitch: angle, from_angle;);
