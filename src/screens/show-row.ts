import { createContext } from 'react'
import type { Resource } from '#engine'

/** Shows a row of any resource over the list that names it; nothing where no list does. */
export const ShowRow = createContext<((resource: Resource, id: string) => void) | undefined>(undefined)
