import { useT } from '../../platform/i18n/i18n.ts'
import { firstWord, useWords } from './dictionary.ts'
import { toneOf } from './tone.ts'
import './state-tag.css'

interface Props {
  /** Code of the dictionary. */
  code: string
  /** One key, or several comma-joined. */
  value: unknown
}

const keysOf = (value: unknown): string[] =>
  value === null || value === undefined || value === '' ? [] : String(value).split(',')

/** The word or words of dictionary keys, in the language in use. */
export function DictText({ code, value }: Props) {
  useT()
  const word = useWords(code)
  return <>{keysOf(value).map(word).join('、')}</>
}

/** A state as a coloured tag. The word says the same as the colour. */
export function DictTag({ code, value }: Props) {
  useT()
  const word = useWords(code)
  return (
    <>
      {keysOf(value).map(key => (
        <span key={key} className="state-tag" data-tone={toneOf(firstWord(code, key) ?? word(key))}>
          {word(key)}
        </span>
      ))}
    </>
  )
}
