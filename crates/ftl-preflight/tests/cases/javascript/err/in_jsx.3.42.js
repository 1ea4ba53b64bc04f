export default function App() {
  const [n, setN] = useState(0);
  return <button onClick={() => setN(n + )}>{n}</button>;
}
