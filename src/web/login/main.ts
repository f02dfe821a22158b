import 'virtual:palette.css'
import './login.css'
import { start } from './form.ts'

start()
