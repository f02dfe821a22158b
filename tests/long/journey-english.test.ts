import { speak } from '../e2e/words.ts'

// The same journey, by people who have chosen English.
speak('en')
await import('../e2e/journey.test.ts')
