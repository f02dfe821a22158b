import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { language, useT } from '../../../../platform/i18n/i18n.ts'
import type { Editor } from './editor.ts'

/** What a page knows of the drawing on it. */
export interface Drawing {
  place: RefObject<HTMLDivElement | null>
  /** Undefined while the program that draws is on its way. */
  editor: Editor | undefined
  /** True where the text is no model or the program did not come. */
  failed: boolean
}

/**
 * Puts a drawing on the page. It is made once and goes with the page: while another tab is shown it waits outside the document.
 * @param xml what it begins with
 * @param onChange called after every change by its person
 */
export function useDrawing(xml: string, onChange: () => void): Drawing {
  useT()
  const spoken = language()
  const place = useRef<HTMLDivElement>(null)
  const made = useRef<Promise<Editor>>(null)
  const [editor, setEditor] = useState<Editor>()
  const [failed, setFailed] = useState(false)
  const [, draw] = useState(0)
  const changed = useEffectEvent(onChange)
  const begin = useEffectEvent(async (): Promise<Editor> => {
    const { createEditor } = await import('./editor.ts')
    const next = createEditor()
    if (place.current) next.attach(place.current)
    await next.open(xml)
    next.fit()
    return next
  })
  useEffect(() => {
    made.current ??= begin()
    let left = false
    let unfollow = (): void => {}
    made.current.then(
      next => {
        if (left) return
        if (place.current) next.attach(place.current)
        const again = (): void => draw(count => count + 1)
        unfollow = next.follow({
          changed: () => {
            changed()
            again()
          },
          chose: again,
        })
        setEditor(next)
      },
      () => !left && setFailed(true),
    )
    return () => {
      left = true
      unfollow()
      made.current?.then(
        next => next.detach(),
        () => {},
      )
    }
  }, [])
  useEffect(() => editor?.say(spoken), [editor, spoken])
  return { place, editor, failed }
}
