import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createOnce } from './serve-page.ts'

test('an answer is kept for seconds: no key stays, and the form can run again', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const once = createOnce()
    let runs = 0
    const send = () => once('form', async () => ({ redirect: `/${++runs}` }))
    assert.deepEqual(await Promise.all([send(), send()]), [{ redirect: '/1' }, { redirect: '/1' }])
    mock.timers.tick(9_999)
    assert.deepEqual(await send(), { redirect: '/1' })
    mock.timers.tick(1)
    assert.deepEqual(await send(), { redirect: '/2' })
  } finally {
    mock.timers.reset()
  }
})

test('a form that failed runs again at once', async () => {
  const once = createOnce()
  let runs = 0
  const send = () =>
    once('form', async () => {
      runs += 1
      throw new Error('refused')
    })
  await assert.rejects(send())
  await assert.rejects(send())
  assert.equal(runs, 2)
})
