import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { startLanguage } from '../../src/platform/i18n/i18n.ts'
import { connect } from './screens-wire.ts'

/** What jsdom lacks of a browser and antd asks for. */
class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(globalThis, {
  ResizeObserver: Observer,
  matchMedia: (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }),
})

// A loaded machine draws slowly; a wait ends as soon as it is met.
configure({ asyncUtilTimeout: 30_000 })

connect()
await startLanguage()

afterEach(cleanup)
