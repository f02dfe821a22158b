import { createContext, use } from 'react'
import type { Editor } from '../editor.ts'

const Known = createContext<Editor | null>(null)

/** Gives the drawing to what asks about it. */
export const EditorProvider = Known.Provider

/** The drawing that the panel is about. */
export function useEditor(): Editor {
  const editor = use(Known)
  if (!editor) throw new Error('A panel stands beside a drawing.')
  return editor
}
