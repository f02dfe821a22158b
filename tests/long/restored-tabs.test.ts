import { restoredTabs } from '../e2e/restored-tabs.ts'

restoredTabs(6)
