package rs

// Profile634 is the layout of the player info packet in client revision 634: the mask bits, fields and order of its 16
// extended-info blocks, and the layout of the appearance. Clients of this revision read the bytes of an appearance in reverse
// order. Source: docs/wire/rs.md, profile 634 (derived from a client's code, not tested against the client).
var Profile634 = mustProfile(`
profile 634  revision=634 ext=0x40,0x4000 cell=6 maxpayload=7500 wear=12x0
1     TARGET       v:u16
10000 WORN_TARGETS n:u8 *{t:u16LA [ext:u16L] slots:u16L}
400   TIMERBAR     w:u16L start:u8S gran:u8S
1000  SAY          text:cstr
4     HITS         n:u8N *{form:smart (form=32767 type:smart amount:smart soaktype:smart soakamount:smart) (form=0..32765 amount:smart) delay:smart hp:u8A}
2     TURN         v:u16
8000  CLANMATE     v:u8A<2
100   WORN_ANIM    n:u8N *{seq:u16 delay:u8N slots:u16}
2000  EXACT_MOVE   x1:s8 z1:s8S x2:s8N z2:s8N t1:u16LA t2:u16A dir:u8
200   GFX1         id:u16LA hd:u32L opts:u8S
40000 RECOLOUR     h:s8N s:s8 l:s8 w:u8 start:u16LA end:u16A
80    SPEED        v:s8S
20    GFX0         id:u16LA hd:u32M3 opts:u8A
8     ANIM         4*seq:u16A delay:u8A
10    APPEARANCE   len:u8 data:rbytes
800   TEMP_SPEED   v:s8N

look fields flags:u8 title:s8 pk:s8 prayer:s8 hide:u8<2
look worn   kit=0x100 object=0x8000 npc:u16 team:u8
look fields 5*colour:u8 bas:u16 name:cstr combat:u8 (flags&4=4 skill:u16) (flags&4=0 max:u8 range:u8)
look fields soundrange:u8 (soundrange=1..255 4*sound:u16 volume:u8)
`)
