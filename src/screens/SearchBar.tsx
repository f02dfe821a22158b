import { lazy, Suspense } from 'react'
import { SearchFields, type SearchProps } from './SearchFields.tsx'
import './screens.css'

const FindBar = lazy(() => import('./FindBar.tsx'))

/** The search of a list: one box where it has one, fields by themselves elsewhere. */
export function SearchBar(props: SearchProps) {
  if (props.resource.find.length > 0)
    return (
      <Suspense fallback={null}>
        <FindBar {...props} />
      </Suspense>
    )
  return (
    <search>
      <SearchFields {...props} />
    </search>
  )
}
