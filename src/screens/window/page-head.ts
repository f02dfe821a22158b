import { type ComponentType, createContext, useContext, useEffect } from 'react'

/** What stands above a page. */
export interface HeadProps {
  /** What the page is called, in Chinese. */
  title: string
  /** What it shows, such as an exam or a person; empty where it shows nothing of its own. */
  subject: string
  /** The page says what it is by itself: only the way to it stands above. */
  isOwn: boolean
}

/** Draws what stands above each page; a window without one leaves it out. */
export const HeadPlace = createContext<ComponentType<HeadProps> | null>(null)

/** Takes what the page around shows. */
export const SubjectPlace = createContext<(subject: string) => void>(() => undefined)

/**
 * Says what the page shows: it becomes the page's heading and stands in the title of the window.
 * @param subject its name as people read it; undefined while it is not known
 */
export function useSubject(subject: string | undefined): void {
  const tell = useContext(SubjectPlace)
  useEffect(() => tell(subject ?? ''), [tell, subject])
}
