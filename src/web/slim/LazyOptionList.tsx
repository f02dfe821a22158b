import type Options from '@rc-component/select/es/OptionList'
import type { RefOptionListProps } from '@rc-component/select/es/OptionList'
import { type Ref, useEffect, useState } from 'react'

/** Milliseconds after which the list is fetched though nobody came near a select: the page has what it needed first. */
const LATER = 3000

let part: typeof Options | undefined

async function load(): Promise<typeof Options> {
  part ??= (await import('@rc-component/select/es/OptionList')).default
  return part
}

const bring = (): void => void load().catch(() => undefined)

/** Somebody points at a select or enters one. */
function come({ target }: Event): void {
  if (!(target instanceof Element && target.closest('.ant-select'))) return
  for (const type of NEAR) removeEventListener(type, come, true)
  bring()
}

const NEAR = ['pointerover', 'focusin']
for (const type of NEAR) addEventListener(type, come, true)
setTimeout(bring, LATER)

/**
 * The options of an open select, drawn a few at a time, which takes half as much program as the select itself: fetched before
 * the first opens.
 */
export default function LazyOptionList({ ref }: { ref?: Ref<RefOptionListProps> }) {
  const [List, setList] = useState(() => part)
  useEffect(() => {
    if (List) return
    load().then(
      found => setList(() => found),
      // The nearest boundary says so, as for any part of the application that cannot be loaded.
      error =>
        setList(() => {
          throw error
        }),
    )
  }, [List])
  return List ? <List ref={ref} /> : null
}
