package rs

// ProfileOSRS239 is the layout of the player info packet in Old School RuneScape, revision 239: the mask bits, fields and order
// of the 15 extended-info blocks that servers write, and the layout of the appearance. Map squares are 8192 tiles wide. Order and
// layout of the blocks change with every revision of Old School. Source: docs/wire/rs.md, profile OSRS 239 (derived from a
// server's code, not tested against a client).
var ProfileOSRS239 = mustProfile(`
profile osrs239  revision=239 ext=0x8,0x800 cell=13 maxpayload=40000 wear=12x0
40000  HITS         n:u8S *{type:smart amount:smart delay:smart limit:smart}
2      RESET        v:u8N
1      FACE         f:u8N (f&0x38=0 type:smart<4 index:smart2or4n fallback:smart) (f&0x38=8 x:smart z:smart size:smart<256) (f&0x38=16 angle:smart)
400    SPEED        v:s8N
20000  SPOTANIM     n:u8 *{slot:u8N id:u16A hd:u32}
100    CHAT         colour:u8 effect:u8A icon:u8N auto:u8A<2 len:u8N text:rbytes (colour=13..20 p0:u8N) (colour=14..20 p1:u8N) (colour=15..20 p2:u8N) (colour=16..20 p3:u8N) (colour=17..20 p4:u8N) (colour=18..20 p5:u8N) (colour=19..20 p6:u8N) (colour=20 p7:u8N)
100000 TRANSPARENCY start:u16A end:u16 from:u8S to:u8S usefrom:u8S<2
200    RECOLOUR     start:u16L end:u16 h:s8N s:s8 l:s8S w:u8S
10000  HEADBARS     n:u8A *{type:smart end:smart (end=0..32766 start:smart startfill:u8A (end=1..32766 endfill:u8N))}
4      SAY          text:cstr
40     ANIM         seq0:u16A delay:u8
1000   TEMP_SPEED   v:s8
20     APPEARANCE   len:u8S data:bytesA
4000   EXACT_MOVE   x1:s8 z1:s8A x2:s8N z2:s8S t1:u16 t2:u16L dir:u16LA
80000  FREEZE       delay:u16LA duration:u16LA cancel:u8A<2

look fields female:u8<2 pk:s8 prayer:s8
look worn   kit=0x100 object=0x800 npc:u16
look kits   kit=0x100 object=0x800
look fields 5*colour:u8 7*anim:u16 name:cstr combat:u8 skill:u16 hide:u8<2
look custom bits=12,11,10,9,8,7,6,5,4,3,2,1 refresh=15 recolour:u8 retexture:u8 wear:u32 head:u32
look fields before:cstr after:cstr aftercombat:cstr pronoun:u8
`)
