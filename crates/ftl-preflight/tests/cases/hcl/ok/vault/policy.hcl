path "auth/*"
{
  capabilities = ["read"]
}
service {
  name = "web",
  port = 80
}
