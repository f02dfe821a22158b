import { speak } from './words.ts'

// The same journey, by people who have chosen English.
speak('en')
await import('./journey.test.ts')
