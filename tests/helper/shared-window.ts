import './screens-page.tsx'
import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { wire } from './screens-wire.ts'

// Runs before each of the files that share one window and its modules: each finds them as if it were the first.

const { answer } = wire

afterEach(cleanup)
afterAll(() => {
  wire.answer = answer
  wire.seen.splice(0)
  wire.keys.splice(0)
  localStorage.clear()
  sessionStorage.clear()
  document.body.replaceChildren()
  history.replaceState(null, '', '/')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
