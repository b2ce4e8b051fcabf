package rs

// Profile667 is the layout of the player info packet in client revision 667: the mask bits, fields and order of its 19
// extended-info blocks, and the layout of the appearance. The appearance has 15 worn positions (places for equipment, such as
// head or feet); those with the numbers 12 and 13 are not sent. Their number and order come from the client's game cache.
// Source: docs/wire/rs.md, profile 667.
var Profile667 = mustProfile(`
profile 667  revision=667 ext=0x80,0x800 cell=6 maxpayload=15000 wear=12x0,1,1,0
8000   WORN_ANIM    n:u8 *{seq:u16 delay:u8N slots:u16LA}
40     ANIM         4*seq:u16L delay:u8A
40000  GFX2         id:u16LA hd:u32M3 opts:u8N
20000  RECOLOUR     h:s8S s:s8S l:s8N w:u8 start:u16LA end:u16
200    TEMP_SPEED   v:s8N
2000   TIMERBAR     w:u16A start:u8 gran:u8N
80000  GFX3         id:u16L hd:u32M3 opts:u8N
100000 CLANMATE     v:u8N<2
4      HITS         n:u8 *{form:smart (form=32767 type:smart amount:smart soaktype:smart soakamount:smart) (form=0..32765 amount:smart) delay:smart hp:u8N}
10000  WORN_TARGETS n:u8S *{t:u16A [ext:u16] slots:u16A}
8      APPEARANCE   len:u8S data:bytes
4000   SAY          text:cstr
400    P_ICON       v:u8S<2
1      SPEED        v:s8S
10     TARGET       v:u16A
1000   EXACT_MOVE   x1:s8S z1:s8 x2:s8A z2:s8A t1:u16L t2:u16LA dir:u8A
20     TURN         v:u16
2      GFX0         id:u16 hd:u32L opts:u8A
100    GFX1         id:u16LA hd:u32M3 opts:u8N

look fields flags:u8 title:s8 pk:s8 prayer:s8 hide:u8<2
look worn   kit=0x100 object=0x8000 npc:u16 team:u8
look custom human objects wear:smart2or4n+ head:smart2or4n+ recolour:u16 retexture:u8
look fields 10*colour:u8 bas:u16 name:cstr combat:u8 (flags&4=4 skill:u16) (flags&4=0 max:u8 range:u8)
look fields soundrange:u8 (soundrange=1..255 4*sound:u16 volume:u8)
`)
