;; Reads packed texts, for unpack.ts; codes.ts has their form and the numbers below.
;; `node scripts/build-unpack.ts` compiles unpack.wasm; a test fails if the two differ.
;;
;; Matches are copied 16 bytes at a time and bits are read 64 at a time, neither of which
;; JavaScript can do: there reading a record took twice as long.
;;
;; The memory, which unpack.ts fills: the table of symbols from 0, the table of places from 32768,
;; the first length of each class from 36864 and its further bits from 36928, the codes' beginnings
;; behind a byte and behind a match from 37376, the dictionary from 38912. Then the packed bytes.
(module
  (memory (export "memory") 4)
  ;; All bits of the bytes that were no part of a match: 128 or more where the text is not ASCII.
  (global $high (export "high") (mut i32) (i32.const 0))

  ;; Reads the bytes from `at` to `end` and writes the text from `to` on, behind the one before it.
  ;; Returns the end of the text; 0 where that would be behind `limit`, -1 for bytes that are cut
  ;; off or go on, -2 and -3 for a match beyond the dictionary or before the memory's texts. Reads
  ;; up to 16 bytes behind `end`, and writes up to 16 behind `limit`.
  (func (export "unpack")
    (param $at i32) (param $end i32) (param $to i32) (param $limit i32) (param $earliest i32)
    (param $dictionary i32) (result i32)
    (local $bits i64) (local $count i32) (local $context i32) (local $found i32)
    (local $symbol i32) (local $length i32) (local $from i32) (local $stop i32) (local $high i32)
    (local $place i32)
    ;; Each beginning is in bytes of the table; this is that of the third kind.
    (local.set $context (i32.const 8192))
    (block $whole
      (loop $next
        (if (i32.gt_u (local.get $at) (i32.add (local.get $end) (i32.const 8)))
          (then (return (i32.const -1))))
        ;; 56 bits or more: a length with its place needs 55.
        (local.set $bits (i64.or (local.get $bits)
          (i64.shl (i64.load (local.get $at)) (i64.extend_i32_u (local.get $count)))))
        (local.set $at (i32.add (local.get $at)
          (i32.shr_u (i32.sub (i32.const 63) (local.get $count)) (i32.const 3))))
        (local.set $count (i32.or (local.get $count) (i32.const 56)))
        (local.set $found (i32.load16_u (i32.or (local.get $context)
          (i32.shl (i32.and (i32.wrap_i64 (local.get $bits)) (i32.const 2047)) (i32.const 1)))))
        (local.set $symbol (i32.shr_u (local.get $found) (i32.const 4)))
        (local.set $found (i32.and (local.get $found) (i32.const 15)))
        (local.set $bits (i64.shr_u (local.get $bits) (i64.extend_i32_u (local.get $found))))
        (local.set $count (i32.sub (local.get $count) (local.get $found)))
        (if (i32.lt_u (local.get $symbol) (i32.const 258))
          (then
            (if (i32.ge_u (local.get $symbol) (i32.const 256))
              (then
                (br_if $whole (i32.eq (local.get $symbol) (i32.const 256)))
                (local.set $symbol (i32.and (i32.wrap_i64 (local.get $bits)) (i32.const 255)))
                (local.set $bits (i64.shr_u (local.get $bits) (i64.const 8)))
                (local.set $count (i32.sub (local.get $count) (i32.const 8)))))
            (if (i32.ge_u (local.get $to) (local.get $limit)) (then (return (i32.const 0))))
            (i32.store8 (local.get $to) (local.get $symbol))
            (local.set $to (i32.add (local.get $to) (i32.const 1)))
            (local.set $high (i32.or (local.get $high) (local.get $symbol)))
            (local.set $context (i32.load16_u offset=37376
              (i32.shl (local.get $symbol) (i32.const 1))))
            (br $next)))
        ;; The length, by its class.
        (local.set $symbol (i32.sub (local.get $symbol) (i32.const 258)))
        (local.set $found (i32.load8_u offset=36928 (local.get $symbol)))
        (local.set $length (i32.add
          (i32.load16_u offset=36864 (i32.shl (local.get $symbol) (i32.const 1)))
          (call $low (local.get $bits) (local.get $found))))
        (local.set $bits (i64.shr_u (local.get $bits) (i64.extend_i32_u (local.get $found))))
        (local.set $count (i32.sub (local.get $count) (local.get $found)))
        ;; The class of its place, and how many bits follow that.
        (local.set $found (i32.load16_u offset=32768
          (i32.shl (i32.and (i32.wrap_i64 (local.get $bits)) (i32.const 2047)) (i32.const 1))))
        (local.set $place (i32.shr_u (local.get $found) (i32.const 4)))
        (local.set $found (i32.and (local.get $found) (i32.const 15)))
        (local.set $bits (i64.shr_u (local.get $bits) (i64.extend_i32_u (local.get $found))))
        (local.set $count (i32.sub (local.get $count) (local.get $found)))
        (local.set $stop (i32.add (local.get $to) (local.get $length)))
        (if (i32.gt_u (local.get $stop) (local.get $limit)) (then (return (i32.const 0))))
        (if (i32.lt_u (local.get $place) (i32.const 256))
          (then
            (local.set $found (i32.const 7))
            (local.set $from (i32.add (i32.shl (local.get $place) (i32.const 7))
              (call $low (local.get $bits) (i32.const 7))))
            (if (i32.gt_u (i32.add (local.get $from) (local.get $length)) (local.get $dictionary))
              (then (return (i32.const -2))))
            (local.set $from (i32.add (local.get $from) (i32.const 38912))))
          (else
            (local.set $found (i32.sub (local.get $place) (i32.const 256)))
            (local.set $from (i32.sub (local.get $to) (i32.add
              (i32.shl (i32.const 1) (local.get $found))
              (call $low (local.get $bits) (local.get $found)))))
            (if (i32.lt_s (local.get $from) (local.get $earliest))
              (then (return (i32.const -3))))))
        (local.set $bits (i64.shr_u (local.get $bits) (i64.extend_i32_u (local.get $found))))
        (local.set $count (i32.sub (local.get $count) (local.get $found)))
        (if (i32.lt_u (i32.sub (local.get $to) (local.get $from)) (i32.const 16))
          (then
            ;; The match reads what it writes.
            (loop $bytes
              (i32.store8 (local.get $to) (i32.load8_u (local.get $from)))
              (local.set $to (i32.add (local.get $to) (i32.const 1)))
              (local.set $from (i32.add (local.get $from) (i32.const 1)))
              (br_if $bytes (i32.lt_u (local.get $to) (local.get $stop)))))
          (else
            (loop $blocks
              (v128.store align=1 (local.get $to) (v128.load align=1 (local.get $from)))
              (local.set $to (i32.add (local.get $to) (i32.const 16)))
              (local.set $from (i32.add (local.get $from) (i32.const 16)))
              (br_if $blocks (i32.lt_u (local.get $to) (local.get $stop))))))
        (local.set $to (local.get $stop))
        (local.set $context (i32.load16_u offset=37888 (i32.shl
          (i32.load8_u (i32.sub (local.get $to) (i32.const 1))) (i32.const 1))))
        (br $next)))
    (global.set $high (local.get $high))
    ;; Less than a byte is left.
    (if (i32.gt_u
        (i32.add
          (i32.shl (i32.sub (local.get $end) (local.get $at)) (i32.const 3)) (local.get $count))
        (i32.const 7))
      (then (return (i32.const -1))))
    (local.get $to))

  ;; The lowest bits of the given number.
  (func $low (param $bits i64) (param $count i32) (result i32)
    (i32.and (i32.wrap_i64 (local.get $bits))
      (i32.sub (i32.shl (i32.const 1) (local.get $count)) (i32.const 1)))))
