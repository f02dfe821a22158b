import { processJourney } from '../e2e/process-journey.ts'

processJourney('phone')
