import { processJourney } from './process-journey.ts'

// On a phone, in English: `npm run test:long`.
processJourney('desk')
