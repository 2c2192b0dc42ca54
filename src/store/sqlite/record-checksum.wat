;; The checksum of the bytes at the start of the memory, for record-checksum.ts.
;; `node scripts/build-checksum.ts` compiles record-checksum.wasm; a test fails if the two differ.
;;
;; Four lanes of 64 bits are used, because each multiplication waits for the previous one of its
;; lane. In JavaScript, which multiplies only 32 bits, the loop takes four times as long.
(module
  (memory (export "memory") 2)

  (func $step (param $lane i64) (param $at i32) (param $factor i64) (result i64)
    (local.set $lane
      (i64.mul (i64.xor (local.get $lane) (i64.load (local.get $at))) (local.get $factor)))
    (i64.xor (local.get $lane) (i64.shr_u (local.get $lane) (i64.const 29))))

  (func $join (param $left i64) (param $right i64) (result i64)
    (local.set $left
      (i64.mul (i64.xor (local.get $left) (local.get $right)) (i64.const 0x9e3779b97f4a7c15)))
    (i64.xor (local.get $left) (i64.shr_u (local.get $left) (i64.const 32))))

  ;; Reads whole groups of 32 bytes; those after the end count as zero.
  (func (export "sum") (param $seed i32) (param $length i32) (result i32)
    (local $at i32)
    (local $a i64)
    (local $b i64)
    (local $c i64)
    (local $d i64)
    (i64.store (local.get $length) (i64.const 0))
    (i64.store offset=8 (local.get $length) (i64.const 0))
    (i64.store offset=16 (local.get $length) (i64.const 0))
    (i64.store offset=24 (local.get $length) (i64.const 0))
    (local.set $a (i64.extend_i32_u (local.get $seed)))
    (local.set $b (i64.extend_i32_u (local.get $length)))
    (local.set $c (i64.const 0x165667b19e3779f9))
    (local.set $d (i64.const 0x27d4eb2f165667c5))
    (loop $next
      (local.set $a (call $step (local.get $a) (local.get $at) (i64.const 0x9e3779b185ebca87)))
      (local.set $b
        (call $step (local.get $b) (i32.add (local.get $at) (i32.const 8))
          (i64.const 0xc2b2ae3d27d4eb4f)))
      (local.set $c
        (call $step (local.get $c) (i32.add (local.get $at) (i32.const 16))
          (i64.const 0x165667b19e3779f9)))
      (local.set $d
        (call $step (local.get $d) (i32.add (local.get $at) (i32.const 24))
          (i64.const 0x85ebca77c2b2ae63)))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $length))))
    (i32.wrap_i64
      (call $join (call $join (call $join (local.get $a) (local.get $b)) (local.get $c))
        (local.get $d)))))
