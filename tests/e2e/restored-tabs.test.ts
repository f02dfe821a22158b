import { restoredTabs } from './restored-tabs.ts'

// `npm run test:long` does it more often.
restoredTabs(1)
