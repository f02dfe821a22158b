import 'virtual:palette.css'
import './login.css'
import './form.css'
import { start } from './form.ts'

start()
