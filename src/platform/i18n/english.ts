import contracts from '../../../resources/english/contracts.json'
import definitions from '../../../resources/english/definitions.json'
import sentences from '../../../resources/english/sentences.json'
import { sentencesIn } from './rules/sentences.ts'

/** Texts of one channel stand in its folder. */
const channels = import.meta.glob<Record<string, string>>('../channels/*/*/english.json', {
  import: 'default',
  eager: true,
})

const known: Readonly<Record<string, string>> = Object.assign(
  {},
  definitions,
  contracts,
  sentences,
  ...Object.values(channels),
)

/**
 * What the server says, in English: sentences around names of fields, words of dictionaries, numbers and times. What has
 * no English, such as what people wrote, stays as it is.
 */
export const inEnglish = sentencesIn(known, sentences)
