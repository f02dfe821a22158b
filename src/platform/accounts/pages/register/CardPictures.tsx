import { type ReactNode, useState } from 'react'
import { FilePick } from '../../../../screens/candidate/files/FilePick.tsx'
import { FileProblem, fittedPicture, PHOTO_TYPES } from '../../../../screens/fields/picture-file.ts'
import { useT } from '../../../i18n/i18n.ts'

/** Pictures of both sides of an ID card, as far as they were chosen. */
export type Cards = {
  cardFront?: File
  cardBack?: File
}

/** Largest picture in KB. */
const MOST = 2048

interface Props {
  cards: Cards
  /** Whether they cannot be left out. */
  asked?: boolean
  /** What is wrong with a side, in the language of the page. */
  problems?: Partial<Record<keyof Cards, string>>
  onChange: (cards: Cards) => void
}

/** Takes the pictures of an ID card along; unless they are asked for, they may be left out and sent later. */
export function CardPictures({ cards, asked = false, problems = {}, onChange }: Props): ReactNode {
  const t = useT()
  const [refused, setRefused] = useState<Partial<Record<keyof Cards, string>>>({})
  const take = async (name: keyof Cards, file: File): Promise<void> => {
    const say = (text?: string): void => setRefused(before => ({ ...before, [name]: text }))
    say()
    try {
      onChange({ ...cards, [name]: await fittedPicture(file, MOST) })
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      say(t(error.message, error.values))
    }
  }
  const side = (name: keyof Cards, label: string): ReactNode => (
    <div className="my-words">
      <FilePick id={name} accept={PHOTO_TYPES} onPick={([file]) => file && void take(name, file)}>
        {refused[name] ? `${t(label)} · ${t('换一张')}` : t(label)}
      </FilePick>
      <span className="my-quiet">{cards[name]?.name ?? t('未选择')}</span>
      {(refused[name] ?? problems[name]) && (
        <p className="in-problem" role="alert">
          {refused[name] ?? problems[name]}
        </p>
      )}
    </div>
  )
  return (
    <fieldset className="in-field" style={{ border: 0, margin: 0, padding: 0 }}>
      <legend>{t(asked ? '身份证照片（认领时必须上传）' : '身份证照片（选填）')}</legend>
      {side('cardFront', '身份证人像面')}
      {side('cardBack', '身份证国徽面')}
    </fieldset>
  )
}
