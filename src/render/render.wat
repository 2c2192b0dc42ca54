;; The inner loops of rendering: splitting a stored record into parts, and writing parts and fixed
;; texts as JSON.
;;
;; They are WebAssembly because it runs at full speed from the first record on. In JavaScript a page
;; took two and a half times as long when warm, and eight times as long before
;; (docs/decisions/record-and-rendering.md). `npm run wasm` compiles render.wasm from this file, and
;; a test fails if the two differ.
;;
;; A span has two words: the start and the end of a part. A hole of a program has four words: start
;; and end of the fixed text before it; the address of the span that fills it (negative: a callback
;; writes instead); and how to trim the span: bytes to omit at its start (low byte) and at its end
;; (next byte), NULL (bit 16) if an empty span is written as `null`, and OMIT (bit 17) if the fixed
;; text before an empty span is left out with it.
;;
;; Words 0 to 2 of the memory return further results. `render` writes to word 0 the hole at which it
;; stopped. `cut` writes to word 1 the number of parts, and to word 2 a bit for each part that is
;; not empty, for at most 32 parts. Whole vectors are copied and searched, so up to 63 bytes after a
;; part are read, and up to 31 bytes after the output are overwritten.
(module
  (import "layout" "memory" (memory 1))

  ;; Copies the bytes between two addresses; returns the end of the copy. Two vectors are always
  ;; copied, because most parts are not longer, and processors predict loop counts badly.
  (func $copy (export "copy") (param $from i32) (param $to i32) (param $at i32) (result i32)
    (local $end i32)
    (local.set $end (i32.sub (i32.add (local.get $at) (local.get $to)) (local.get $from)))
    (loop $next
      (v128.store align=1 (local.get $at) (v128.load align=1 (local.get $from)))
      (v128.store offset=16 align=1 (local.get $at) (v128.load offset=16 align=1 (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 32)))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $from) (local.get $to))))
    (local.get $end))

  ;; Writes fixed texts and parts in turn, from a hole up to the next one that a callback fills;
  ;; returns the end of the output.
  (func (export "render") (param $hole i32) (param $at i32) (result i32)
    (local $span i32)
    (local $trim i32)
    (local $from i32)
    (local $to i32)
    (local $before i32)
    (loop $next
      (local.set $before (local.get $at))
      (local.set $at
        (call $copy (i32.load (local.get $hole)) (i32.load offset=4 (local.get $hole))
          (local.get $at)))
      (local.set $span (i32.load offset=8 (local.get $hole)))
      (if (i32.ge_s (local.get $span) (i32.const 0))
        (then
          (local.set $trim (i32.load offset=12 (local.get $hole)))
          (local.set $from
            (i32.add (i32.load (local.get $span)) (i32.and (local.get $trim) (i32.const 0xff))))
          (local.set $to
            (i32.sub
              (i32.load offset=4 (local.get $span))
              (i32.and (i32.shr_u (local.get $trim) (i32.const 8)) (i32.const 0xff))))
          (if (i32.lt_s (local.get $from) (local.get $to))
            (then
              (local.set $at (call $copy (local.get $from) (local.get $to) (local.get $at))))
            (else
              (if (i32.and (local.get $trim) (i32.const 0x10000))
                (then
                  (i32.store (local.get $at) (i32.const 0x6c6c756e)) ;; null
                  (local.set $at (i32.add (local.get $at) (i32.const 4)))))
              (if (i32.and (local.get $trim) (i32.const 0x20000))
                (then (local.set $at (local.get $before))))))
          (local.set $hole (i32.add (local.get $hole) (i32.const 16)))
          (br $next))))
    (i32.store (i32.const 0) (local.get $hole))
    (local.get $at))

  ;; Writes the spans of the parts between two addresses, split at a separator, at most `most` of
  ;; them. A byte `until` also ends the text. Returns the end of the text. 64 bytes are searched at
  ;; once, because each end of the inner loop is predicted badly.
  (func (export "cut")
    (param $from i32) (param $to i32) (param $separator i32) (param $until i32)
      (param $spans i32) (param $most i32)
    (result i32)
    (local $at i32)
    (local $hits i64)
    (local $hit i32)
    (local $ends i64)
    (local $count i32)
    (local $present i32)
    (local.set $at (local.get $from))
    (loop $block
      (local.set $hits (call $find (local.get $at) (i8x16.splat (local.get $separator))))
      (local.set $ends (call $find (local.get $at) (i8x16.splat (local.get $until))))
      (if (i32.lt_u (i32.sub (local.get $to) (local.get $at)) (i32.const 64))
        (then
          (local.set $ends
            (i64.or
              (local.get $ends)
              (i64.shl (i64.const 1)
                (i64.extend_i32_u (i32.sub (local.get $to) (local.get $at))))))))
      (if (i64.ne (local.get $ends) (i64.const 0))
        (then
          ;; Matches after the end do not count.
          (local.set $to (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $ends)))))
          (local.set $hits
            (i64.and
              (local.get $hits)
              (i64.sub (i64.and (local.get $ends) (i64.sub (i64.const 0) (local.get $ends)))
                (i64.const 1))))))
      (block $none
        (loop $each
          (br_if $none (i64.eqz (local.get $hits)))
          (local.set $hit (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $hits)))))
          (call $span (local.get $spans) (local.get $count) (local.get $most) (local.get $from)
            (local.get $hit))
          (local.set $present
            (i32.or (local.get $present)
              (call $bit (local.get $count) (local.get $from) (local.get $hit))))
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (local.set $from (i32.add (local.get $hit) (i32.const 1)))
          (local.set $hits (i64.and (local.get $hits) (i64.sub (local.get $hits) (i64.const 1))))
          (br $each)))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $block (i64.eqz (local.get $ends))))
    (call $span (local.get $spans) (local.get $count) (local.get $most) (local.get $from)
      (local.get $to))
    (i32.store (i32.const 4) (i32.add (local.get $count) (i32.const 1)))
    (i32.store
      (i32.const 8)
      (i32.or (local.get $present) (call $bit (local.get $count) (local.get $from)
        (local.get $to))))
    (local.get $to))

  ;; A bit for each of 64 bytes that is equal to those of a vector.
  (func $find (param $at i32) (param $byte v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask
          (i8x16.eq (v128.load align=1 (local.get $at)) (local.get $byte))))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask
          (i8x16.eq (v128.load offset=16 align=1 (local.get $at)) (local.get $byte))))
          (i64.const 16)))
      (i64.or
        (i64.shl (i64.extend_i32_u (i8x16.bitmask
          (i8x16.eq (v128.load offset=32 align=1 (local.get $at)) (local.get $byte))))
          (i64.const 32))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask
          (i8x16.eq (v128.load offset=48 align=1 (local.get $at)) (local.get $byte))))
          (i64.const 48)))))

  (func $span (param $spans i32) (param $part i32) (param $most i32) (param $from i32)
    (param $to i32)
    (if (i32.lt_u (local.get $part) (local.get $most))
      (then
        (i64.store
          (i32.add (local.get $spans) (i32.shl (local.get $part) (i32.const 3)))
          (i64.or
            (i64.extend_i32_u (local.get $from))
            (i64.shl (i64.extend_i32_u (local.get $to)) (i64.const 32)))))))

  ;; The bit of a part that is not empty.
  (func $bit (param $part i32) (param $from i32) (param $to i32) (result i32)
    (i32.shl (i32.lt_u (local.get $from) (local.get $to)) (local.get $part)))

  ;; Reports whether all bytes between two addresses are ASCII.
  (func (export "isAscii") (param $from i32) (param $to i32) (result i32)
    (local $high v128)
    (block $rest
      (loop $next
        (br_if $rest (i32.gt_u (i32.add (local.get $from) (i32.const 16)) (local.get $to)))
        (local.set $high (v128.or (local.get $high) (v128.load align=1 (local.get $from))))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (br $next)))
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $high (v128.or (local.get $high) (i8x16.splat (i32.load8_u (local.get $from)))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $next)))
    (i32.eqz (i8x16.bitmask (local.get $high)))))
