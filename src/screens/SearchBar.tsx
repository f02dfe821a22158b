import { SearchFields, type SearchProps } from './SearchFields.tsx'
import { lazyPart } from './window/lazy-page.ts'
import './screens.css'

const findBar = lazyPart(() => import('./FindBar.tsx'))

/** The search of a list: one box where it has one, fields by themselves elsewhere. */
export function SearchBar(props: SearchProps) {
  if (props.resource.find.length > 0) return <findBar.Component {...props} />
  return (
    <search>
      <SearchFields {...props} />
    </search>
  )
}
